#!/bin/sh
kubectl apply -f kueue/queues${1:+-$1}.yaml
