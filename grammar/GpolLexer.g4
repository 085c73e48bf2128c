// Words of a .gpol file. Syntax only: no actions, no embedded code, no modes, no fragments with recursion: the driver turns
// these rules into one table (compiler/syntax/lexer_table.h says what it relies on). Everything but texts and comments is ASCII.
lexer grammar GpolLexer;

LANGUAGE : 'language' ;
IMPORT : 'import' ;
DEFINE : 'define' ;
CLUSTER : 'cluster' ;
SCHEDULER : 'scheduler' ;
NODES : 'nodes' ;
POOL : 'pool' ;
COHORT : 'cohort' ;
WINDOW : 'window' ;
CLASS : 'class' ;
TENANT : 'tenant' ;
ALLOW : 'allow' ;
PROVE : 'prove' ;
TRUST : 'trust' ;

ON : 'on' ;
IN : 'in' ;
OF : 'of' ;
TO : 'to' ;
UP : 'up' ;
AT : 'at' ;
BY : 'by' ;
FROM : 'from' ;
MOST : 'most' ;
DURING : 'during' ;
BECAUSE : 'because' ;
WRITERS : 'writers' ;
GUARD : 'guard' ;
USER : 'user' ;
GROUP : 'group' ;
NEVER : 'never' ;
HOLDS : 'holds' ;
READY : 'ready' ;
WITHIN : 'within' ;
BACK : 'back' ;
TAKE : 'take' ;
REST : 'rest' ;
THE : 'the' ;
EACH : 'each' ;
GPU : 'gpu' ;
DAEMONS : 'daemons' ;
COUNT : 'count' ;
TOLERATE : 'tolerate' ;
LOST : 'lost' ;
SPOT : 'spot' ;
NOTICE : 'notice' ;
ROUND : 'round' ;
RELEASE : 'release' ;
GRACE : 'grace' ;
SAVED : 'saved' ;
KILL : 'kill' ;
MARGIN : 'margin' ;
CHECKPOINT : 'checkpoint' ;
EVERY : 'every' ;
RUNS : 'runs' ;
NAMESPACE : 'namespace' ;
OWNER : 'owner' ;
RESERVE : 'reserve' ;
QUOTA : 'quota' ;
REPLICA : 'replica' ;
REPLICAS : 'replicas' ;
SURGE : 'surge' ;
SHAPE : 'shape' ;
START : 'start' ;
MEASURED : 'measured' ;
DECLARED : 'declared' ;
DERIVED : 'derived' ;
ASKS : 'asks' ;
QUEUE : 'queue' ;
OUTSIDE : 'outside' ;
PREEMPTS : 'preempts' ;
BATCH : 'batch' ;
LEND : 'lend' ;
BORROW : 'borrow' ;
WITHOUT : 'without' ;
LIMIT : 'limit' ;

LBRACE : '{' ;
RBRACE : '}' ;
LPAREN : '(' ;
RPAREN : ')' ;
COLON : ':' ;
COMMA : ',' ;
SEMICOLON : ';' ;
EQUALS : '=' ;
DOTS : '..' ;

TIME : [0-9] [0-9] ':' [0-9] [0-9] ;
DATE : [0-9] [0-9] [0-9] [0-9] '-' [0-9] [0-9] ( '-' [0-9] [0-9] )? ;
MEASURE : [0-9]+ ( '.' [0-9]+ )? ( [a-zA-Z]+ | '%' ) ;   // 60s, 2TiB, 80%
NUMBER : [0-9]+ ( '.' [0-9]+ )? ;
VERSION : [0-9]+ '.' [0-9]+ ( '.' [0-9]+ )+ ;             // 0.19.2
REFERENCE : '$' [a-zA-Z_] [a-zA-Z0-9_-]* | '${' [a-zA-Z_] [a-zA-Z0-9_-]* '}' [a-zA-Z0-9_./-]* ;   // $name, ${name}-prod
HANDLE : '@' [a-zA-Z0-9] [a-zA-Z0-9_/-]* ;
ID : [a-zA-Z_] [a-zA-Z0-9_/-]* ( '.' [a-zA-Z0-9_/-]+ )* ;
STRING : '"' ~["\r\n]* '"' ;

COMMENT : '#' ~[\r\n]* -> channel(HIDDEN) ;
SPACE : [ \t\r\n]+ -> channel(HIDDEN) ;
BAD : . ;   // reported by the parser driver with its own code
