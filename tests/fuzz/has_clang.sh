#!/usr/bin/env bash
# Exit 0: clang++-19 with libFuzzer is here (Debian: clang-19 libclang-rt-19-dev).
command -v clang++-19 > /dev/null && ls "$(clang++-19 -print-resource-dir)"/lib/*/libclang_rt.fuzzer* > /dev/null 2>&1
