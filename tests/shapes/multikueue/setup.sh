#!/bin/sh
kubectl --context manager apply -f manager/
kubectl --context worker1 apply -f worker/
