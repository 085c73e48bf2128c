// The grammar of .gpol. Syntax only: no actions, no embedded code. Every item of a block begins with a word that no
// other item of that block begins with, so `;` between items is optional and line breaks mean nothing. Every choice is
// made on one word (LL(1)): the build fails if one is not, because mistakes are then found at the very word that is wrong.
parser grammar GpolParser;
options { tokenVocab = GpolLexer; }

// The driver (compiler/syntax/parse.cpp) feeds one declaration at a time: no whole-file tree is ever built.
declaration
    : ( languageDecl | importDecl | defineDecl | referenceDecl | clusterDecl | cohortDecl | windowDecl | classDecl | tenantDecl | allowDecl | proveDecl | trustDecl )
      SEMICOLON* EOF
    ;

languageDecl : LANGUAGE NUMBER ;

importDecl : IMPORT ( STRING | name ) ;            // import "teams/search.gpol", import gpol/classes

// `define NAME($PARAMETER, ...) { words }`; `$NAME(ARGUMENT, ...)` stands for these words anywhere, and `$PARAMETER` among
// them for an argument. A declaration that holds a reference is parsed once it is replaced (compiler/syntax/expand.h).
defineDecl : DEFINE name ( LPAREN REFERENCE ( COMMA REFERENCE )* RPAREN )? words ;
words : LBRACE ( ~( LBRACE | RBRACE ) | words )* RBRACE ;
referenceDecl : REFERENCE ( LPAREN argument ( COMMA argument )* RPAREN )? ;
argument : ( argumentWord | argumentWords )+ ;
argumentWord : ~( COMMA | LPAREN | RPAREN | LBRACE | RBRACE ) ;
argumentWords : LPAREN ( argumentWord | argumentWords | COMMA )* RPAREN ;

clusterDecl : CLUSTER name LBRACE ( clusterItem | SEMICOLON )* RBRACE ;
clusterItem : schedulerDecl | nodesDecl | poolDecl | writersDecl | guardDecl ;
writersDecl : WRITERS writer ( COMMA writer )* ;   // who may write what gpol emits: user "system:serviceaccount:..."
writer : ( USER | GROUP ) STRING ;
guardDecl : GUARD name name ;                      // guard gpol-shape-shared-8 warn: how far it is rolled out
schedulerDecl : SCHEDULER name ( NUMBER | VERSION | ID )? ( LBRACE ( schedulerItem | SEMICOLON )* RBRACE )? ;
schedulerItem
    : ROUND WITHIN quantity          # roundTime
    | RELEASE WITHIN quantity        # releaseTime
    ;

nodesDecl : NODES name LBRACE ( nodesItem | SEMICOLON )* RBRACE ;
nodesItem
    : COUNT NUMBER ( DOTS NUMBER )?  # nodesCount
    | EACH amounts                   # nodesEach
    | GPU name                       # nodesGpu
    | DAEMONS TAKE amounts           # nodesDaemons
    | TOLERATE NUMBER LOST           # nodesTolerate
    | SPOT NOTICE quantity           # nodesSpot
    ;

poolDecl : POOL name ON name ( TAKE ( NUMBER NODES | THE REST ) )? ;

cohortDecl : COHORT name ( IN name )? ( LBRACE ( cohortItem | SEMICOLON )* RBRACE )? ;
cohortItem : quotaClause | limitClause ;

windowDecl : WINDOW name EQUALS TIME DOTS TIME name name ;   // 22:00..06:00 Europe/Zurich daily

classDecl : CLASS name COLON name LBRACE ( classItem | SEMICOLON )* RBRACE ;
classItem
    : READY WITHIN quantity                                     # classReady
    | GRACE quantity ( LPAREN SAVED IN quantity RPAREN )?       # classGrace
    | KILL MARGIN quantity                                      # classKillMargin
    | CHECKPOINT EVERY quantity                                 # classCheckpoint
    | RUNS name ( COMMA name )*                                 # classRuns
    ;

tenantDecl : TENANT name LBRACE ( tenantItem | SEMICOLON )* RBRACE ;
tenantItem
    : NAMESPACE name ( COMMA name )*                            # tenantNamespace
    | OWNER HANDLE                                              # tenantOwner
    | CLASS name                                                # tenantClass
    | RESERVE amounts OF name                                   # tenantReserve
    | quotaClause                                               # tenantQuota
    | REPLICA amounts                                           # tenantReplica
    | REPLICAS NUMBER COMMA SURGE NUMBER                        # tenantReplicas   // how many it runs, and more during an update
    | SHAPE amounts OF name                                     # tenantShape
    | START startTerm ( COMMA startTerm )* source?              # tenantStart
    | ASKS AT TIME                                              # tenantAsks
    | queueBlock                                                # tenantQueue
    | OUTSIDE THE QUEUE ( COMMA PREEMPTS BATCH )?               # tenantOutside   // plain Deployments, which Kueue never sees
    ;
queueBlock : QUEUE LBRACE ( queueItem | SEMICOLON )* RBRACE ;
startTerm : name quantity ;
source : LPAREN ( MEASURED | DECLARED | DERIVED ) ( DATE | STRING )? RPAREN ;

quotaClause : QUOTA amounts OF name ;
limitClause : ( LEND | BORROW ) ( limitAtMost | limitNone ) ;
limitAtMost : AT MOST amounts OF name ;
limitNone : WITHOUT LIMIT ;

queueItem
    : COHORT name                                               # queueCohort
    | limitClause                                               # queueLimit
    | ID name                                                   # queueSetting   // the field's own name: queueingStrategy StrictFIFO
    ;

allowDecl : ALLOW name TO BORROW UP TO amounts OF name FROM name ( DURING name )? ( COMMA? BACK WITHIN quantity )? ;

proveDecl : PROVE name ( proveHolds | proveReady ) ;
proveHolds : NEVER HOLDS name ;
proveReady : READY WITHIN quantity ;

trustDecl : TRUST name BECAUSE STRING BY HANDLE ;

amounts : quantity ( COMMA quantity )* ;
quantity : MEASURE | NUMBER unit ;   // `60s`, `8 gpus`
unit : ID | GPU ;                    // one that does not exist is found later, with help
// Some words of the grammar are also good names (`pool spot`, `start ready 5s`): they are names where a name stands.
name
    : ID | SPOT | REST | BACK | READY | LANGUAGE | SCHEDULER | GPU | RELEASE | ROUND | CHECKPOINT | START | REPLICA
    | BORROW | LEND | DAEMONS | MOST | UP | THE | NOTICE | KILL | QUEUE | SHAPE | WRITERS | GUARD | USER | GROUP
    | OUTSIDE | PREEMPTS | BATCH | REPLICAS | SURGE | IMPORT | DEFINE
    ;
