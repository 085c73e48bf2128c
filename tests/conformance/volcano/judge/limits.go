package main

import (
	"github.com/prometheus/client_golang/prometheus"
)

// limits are what the plugin capacity worked out when the session opened, by queue: "rc RESOURCE" and "deserved RESOURCE"
// in Volcano's own units, as its metrics say it (pkg/scheduler/metrics/queue.go).
func (c *cluster) limits() map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	families, _ := prometheus.DefaultGatherer.Gather()
	names := map[string]string{"volcano_queue_real_capacity_milli_cpu": "rc cpu", "volcano_queue_real_capacity_memory_bytes": "rc memory", "volcano_queue_real_capacity_scalar_resources": "rc ",
		"volcano_queue_deserved_milli_cpu": "deserved cpu", "volcano_queue_deserved_memory_bytes": "deserved memory", "volcano_queue_deserved_scalar_resources": "deserved ", "volcano_queue_share": "share"}
	for _, f := range families {
		what, ok := names[f.GetName()]
		if !ok {
			continue
		}
		for _, m := range f.GetMetric() {
			queue, resource := "", ""
			for _, l := range m.GetLabel() {
				if l.GetName() == "queue_name" {
					queue = l.GetValue()
				} else {
					resource = l.GetValue()
				}
			}
			if c.queues[queue] == nil {
				continue
			}
			if out[queue] == nil {
				out[queue] = map[string]float64{}
			}
			out[queue][what+resource] = m.GetGauge().GetValue()
		}
	}
	return out
}
