// Empty on purpose: only a package with an assembly file may declare functions without a body, as world.go does.
