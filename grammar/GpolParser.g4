// The grammar of .gpol. Syntax only: no actions, no embedded code. Every item of a block begins with a word that no
// other item of that block begins with, so `;` between items is optional and line breaks mean nothing. Every choice is
// made on one word (LL(1)): the build fails if one is not, because mistakes are then found at the very word that is wrong.
parser grammar GpolParser;
options { tokenVocab = GpolLexer; }

// The driver (compiler/syntax/parse.cpp) feeds one declaration at a time: no whole-file tree is ever built.
declaration
    : ( languageDecl | importDecl | defineDecl | referenceDecl | clusterDecl | cohortDecl | windowDecl | classDecl | tenantDecl | allowDecl | proveDecl | trustDecl
      | hardwareDecl | serviceDecl | gatewayDecl | calendarDecl | priceDecl | incidentDecl | leverDecl | approveDecl )
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
clusterItem : schedulerDecl | nodesDecl | poolDecl | writersDecl | guardDecl | exemptDecl ;
writersDecl : WRITERS writer ( COMMA writer )* ;   // who may write what gpol emits: user "system:serviceaccount:..."
writer : ( USER | GROUP ) STRING ;
guardDecl : GUARD name name ;                      // guard gpol-shape-shared-8 warn, guard all audit: how far it is rolled out
exemptDecl : EXEMPT NAMESPACES namespaceName ( COMMA namespaceName )* ;   // of whoever runs the cluster: no guard looks there
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
    | CEILING quantity               # nodesCeiling   // what the provider lets be had at most
    | LEAD TIME_WORD quantity        # nodesLead      // from asking for one more node to having it
    ;

poolDecl : POOL name ON name ( TAKE ( NUMBER NODES | THE REST ) )? ( AS partition UNMANAGED? )? ( poolLabel poolTaint? | poolTaint poolLabel? )? ;
poolLabel : LABEL keyValue ;                       // that its nodes carry already: label node-pool=live
poolTaint : TAINT keyValue ;                       // taint sku=gpu, taint sku=gpu:NoExecute
keyValue : STRING | name ( EQUALS ( name | NUMBER ) )? ( COLON name )? ;   // in quotes where it holds other words

cohortDecl : COHORT name ( IN name )? ( LBRACE ( cohortItem | SEMICOLON )* RBRACE )? ;
cohortItem : quotaClause | limitClause ;

windowDecl : WINDOW name EQUALS TIME DOTS TIME name name exceptClause? ;   // 22:00..06:00 Europe/Zurich daily

classDecl : CLASS name COLON name LBRACE ( classItem | SEMICOLON )* RBRACE ;
classItem
    : READY WITHIN quantity                                     # classReady
    | GRACE quantity ( LPAREN SAVED IN quantity RPAREN )?       # classGrace
    | KILL MARGIN quantity                                      # classKillMargin
    | CHECKPOINT EVERY quantity                                 # classCheckpoint
    | RUNS name ( COMMA name )*                                 # classRuns
    | SLO name name LESS quantity duringClause?                 # classSlo   // slo ttft p99 < 150ms during business
    | BURST quantity WITHIN quantity                            # classBurst
    | HEADROOM AT LEAST quantity                                # classHeadroom
    | FLOOR rate                                                # classFloor
    | PREEMPTIBLE                                               # classPreemptible
    ;

tenantDecl : TENANT name LBRACE ( tenantItem | SEMICOLON )* RBRACE ;
tenantItem
    : NAMESPACE namespaceName ( COMMA namespaceName )*          # tenantNamespace
    | OWNER HANDLE                                              # tenantOwner
    | CLASS name                                                # tenantClass
    | RESERVE amounts OF name                                   # tenantReserve
    | quotaClause                                               # tenantQuota
    | REPLICA amounts                                           # tenantReplica
    | REPLICAS NUMBER COMMA SURGE NUMBER                        # tenantReplicas   // how many it runs, and more during an update
    | SHAPE amounts OF name                                     # tenantShape
    | START startTerm ( COMMA startTerm )* source?              # tenantStart
    | ASKS AT TIME                                              # tenantAsks
    | BUDGET quantity PER name                                  # tenantBudget
    | AT MOST quantity                                          # tenantJobs       // at most 200 jobs
    | queueBlock                                                # tenantQueue
    | OUTSIDE THE QUEUE ( COMMA PREEMPTS BATCH )?               # tenantOutside   // plain Deployments, which Kueue never sees
    ;
namespaceName : name | STRING ;   // in quotes where it begins with a digit, or is a word of the language
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

trustDecl : TRUST name BECAUSE STRING BY HANDLE untilClause? ;

// --- the vocabulary beyond quotas; compiler/policy/constructs.cpp says of each what it does
partition
    : WHOLE                                                     # partitionWhole
    | MIG ( migLayout | migCounts )                              # partitionMig
    | TIME_SLICES NUMBER                                        # partitionTimeSlices   // how many share one device
    | MPS NUMBER                                                # partitionMps
    | FRACTIONS NUMBER                                          # partitionFractions
    | DRA                                                       # partitionDra
    ;
migLayout : LBRACE migSlices ( COMMA migSlices )* RBRACE ;       // how each device is cut
migSlices : quantity ( AT NUMBER )? ;                            // at: it is there already, from that memory slice on
migCounts : FOR amounts ;                                       // what the whole pool offers

hardwareDecl : HARDWARE name LBRACE ( hardwareItem | SEMICOLON )* RBRACE ;
hardwareItem
    : MEMORY quantity                                           # hardwareMemory
    | SLICES NUMBER COMPUTE COMMA NUMBER MEMORY                 # hardwareSlices
    | ENGINES engineCounts                                      # hardwareEngines
    | PLACEMENTS name                                           # hardwarePlacements
    | migBlock                                                  # hardwareMig
    ;
migBlock : MIG PROFILE LBRACE ( migItem | SEMICOLON )* RBRACE ;
migItem
    : COMPUTE NUMBER                                            # migCompute
    | MEMORY NUMBER                                             # migMemory
    | STARTS AT NUMBER ( COMMA NUMBER )*                        # migStarts
    | AT MOST NUMBER                                            # migMost
    | ENGINES engineCounts                                      # migEngines
    ;
engineCounts : engineCount ( COMMA engineCount )* ;
engineCount : NUMBER name ;                                     // 4 nvdec

serviceDecl : SERVICE name OF name LBRACE ( serviceItem | SEMICOLON )* RBRACE ;
serviceItem
    : REPLICAS NUMBER ( DOTS NUMBER )?                          # serviceReplicas
    | EACH amounts                                              # serviceEach
    | THROUGHPUT rate ( COMMA rate )*                           # serviceThroughput   // of one replica
    | VARIATION NUMBER                                          # serviceVariation    // of its service times
    | AT MOST quantity                                          # serviceUnavailable  // at most 1 unavailable, while it is updated
    | LONGEST longest ( COMMA longest )*                        # serviceLongest      // longest answer 60s
    | LABEL keyValue ( COMMA keyValue )*                        # serviceLabel        // of its pods
    | FROM caller ( COMMA caller )*                             # serviceFrom         // who reaches its pods
    | requestsBlock                                             # serviceRequests
    | engineBlock                                               # serviceEngine
    ;
longest : name quantity ;
caller : namespaceName ( LPAREN keyValue RPAREN )? ;            // from envoy-gateway-system (app=envoy)
requestsBlock : REQUESTS LBRACE ( requestItem | SEMICOLON )* RBRACE ;
requestItem : name quantity ;                                   // interactive 300 streams
engineBlock : ENGINE name LBRACE ( engineItem | SEMICOLON )* RBRACE ;
engineItem : name engineValue ;                                 // the engine's own name of it: max-model-len 8192
engineValue : NUMBER | MEASURE | ON | name ;                    // `on` is a word of the language

gatewayDecl : LIMIT name AT GATEWAY name ( OF name )? LBRACE ( gatewayItem | SEMICOLON )* RBRACE ;
gatewayItem
    : AT MOST gatewayAmount ( COMMA gatewayAmount )*            # gatewayAtMost
    | ON NUMBER ( DOTS NUMBER )? name                           # gatewayProxies      // on 2 proxies, on 2..6 proxies
    | ROUTE name ( OF name )? gatewayHost?                      # gatewayRoute        // route NAME of NAMESPACE
    | NO LIMIT                                                  # gatewayNoLimit      // a route that nobody limits
    | CLASS name ( COMMA name )*                                # gatewayClass        // of requests: class interactive
    | QUEUE NUMBER gatewayScope?                                # gatewayQueue        // queue 50 per proxy
    | TIMEOUT quantity                                          # gatewayTimeout
    | DEADLINE quantity                                         # gatewayDeadline     // of the client
    | RETRIES NUMBER                                            # gatewayRetries
    | LONGEST name quantity                                     # gatewayLongest      // longest request 1 MiB
    | ELSE NUMBER RETRY quantity                                # gatewayElse
    ;
gatewayHost : FOR name ON name name TO name name NUMBER ;  // for chat.example.com/v1 on listener https to assistant port 8000
gatewayAmount : rate gatewayScope? | gatewayScope ;             // the last: of all of them
gatewayScope : PER name | GLOBAL ;                              // per proxy

calendarDecl : CALENDAR name LBRACE DATE ( COMMA DATE )* RBRACE ;
exceptClause : EXCEPT name ;
duringClause : DURING name ;
untilClause : UNTIL DATE ;

priceDecl : PRICE quantity PER GPU name OF name PAID BY HANDLE ;   // price 2.50 EUR per gpu h of burst paid by @ml
incidentDecl : INCIDENT PAID BY HANDLE ;

leverDecl : LEVER name LBRACE ( leverItem | SEMICOLON )* RBRACE ;
leverItem
    : NO ALLOW duringClause?                                    # leverNoAllow
    | HOLD name                                                 # leverHold
    | BY HANDLE                                                 # leverBy
    ;
approveDecl : APPROVE CHANGES TO name BY HANDLE ;

rate : ( NUMBER | MEASURE ) unit ;   // `200 req/s`, `2M tokens/min`
// --- the end of that vocabulary

amounts : quantity ( COMMA quantity )* ;
quantity : MEASURE | NUMBER unit ;   // `60s`, `8 gpus`
unit                                 // one that does not exist is found later, with help
    : ID                             # unitWord
    | GPU                            # unitGpu
    | TIMES PROFILE                  # unitSlices   // 2 x 3g.40gb
    ;
// Some words of the grammar are also good names (`pool spot`, `start ready 5s`): they are names where a name stands.
name
    : ID | SPOT | REST | BACK | READY | LANGUAGE | SCHEDULER | GPU | RELEASE | ROUND | CHECKPOINT | START | REPLICA
    | BORROW | LEND | DAEMONS | MOST | UP | THE | NOTICE | KILL | QUEUE | SHAPE | WRITERS | GUARD | USER | GROUP
    | OUTSIDE | PREEMPTS | BATCH | REPLICAS | SURGE | IMPORT | DEFINE
    | HARDWARE | MEMORY | SLICES | COMPUTE | ENGINES | PLACEMENTS | STARTS | MIG | AS | WHOLE | TIME_SLICES | MPS | FRACTIONS
    | DRA | UNMANAGED | TIMES | CEILING | LEAD | TIME_WORD | SLO | BURST | HEADROOM | LEAST | FLOOR | PREEMPTIBLE | BUDGET | PER | SERVICE
    | THROUGHPUT | VARIATION | REQUESTS | ENGINE | GATEWAY | ROUTE | GLOBAL | TIMEOUT | DEADLINE | RETRIES | LONGEST | FOR | ELSE | RETRY | CALENDAR | EXCEPT | PRICE | PAID | INCIDENT
    | LEVER | NO | HOLD | UNTIL | APPROVE | CHANGES | LABEL | TAINT
    ;
