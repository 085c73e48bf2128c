// The members of every struct of a policy.
#pragma once

#include "compiler/policy/policy.h"
#include "compiler/source/fields.h"

namespace gpol {

GPOL_FIELDS(TimeConstant, value, source, span)
GPOL_FIELDS(Window, name, from, to, zone, days, except, span)
GPOL_FIELDS(StartTerms, schedule, image, weights, load, warm)
GPOL_FIELDS(Trust, premise, reason, by, span, until)
GPOL_FIELDS(Writer, group, name, span)
GPOL_FIELDS(NodeMark, key, value, effect)
GPOL_FIELDS(GuardMode, guard, mode, span)
GPOL_FIELDS(PlannedUse, construct, kind, name, text, span)
GPOL_FIELDS(MigProfile, name, compute, memory, starts, most, engines)
GPOL_FIELDS(Hardware, name, memory, compute_slices, memory_slices, placements, engines, profiles, span)
GPOL_FIELDS(Slices, profile, count)
GPOL_FIELDS(Instance, profile, start)
GPOL_FIELDS(Partition, mode, layout, device, counted, share, held, unmanaged, span)
GPOL_FIELDS(Slo, metric, percentile, below_ms, window)
GPOL_FIELDS(Burst, factor, within_ms)
GPOL_FIELDS(Rate, of, thousandths, window_ms)
GPOL_FIELDS(Knob, name, value)
GPOL_FIELDS(Caller, ns, label, span)
GPOL_FIELDS(Service, name, tenant, replicas_min, replicas_max, each, throughput, variation, requests, unavailable,
            longest, prompt_tokens, answer_tokens, labels, callers, engine, knobs, span, throughput_span, requests_span,
            unavailable_span, longest_span)
GPOL_FIELDS(LimitAmount, rate, by)
GPOL_FIELDS(RouteHost, host, path, listener, service, port)
GPOL_FIELDS(GatewayLimit, tenant, gateway, gateway_ns, route, route_ns, host, longest_request, most, unlimited, classes,
            proxies, queue, queue_by, timeout, deadline, retries, otherwise, span, most_span, waits_span)
GPOL_FIELDS(Calendar, name, dates, span)
GPOL_FIELDS(Money, thousandths, currency)
GPOL_FIELDS(Price, money, per, pool, payer)
GPOL_FIELDS(Lever::Stop, hold, index)
GPOL_FIELDS(Lever, name, by, stops, span)
GPOL_FIELDS(Approval, what, by, guard, span)
GPOL_FIELDS(NodeGroup, name, gpu_model, each, daemons, count_min, count_max, tolerate_lost, spot_notice, ceiling,
            lead_time, span)
GPOL_FIELDS(Pool, name, group, nodes_min, nodes_max, partition, label, taint, span)
GPOL_FIELDS(Cohort::Entry, pool, quota, lend_at_most, borrow_at_most, span)
GPOL_FIELDS(Cohort, name, parent, entries, span)
GPOL_FIELDS(LatencyClass, name, isolation, ready_within, grace, saved_in, kill_margin, checkpoint_every, runs,
            other_kinds, slos, burst, headroom, floor, preemptible, span)
GPOL_FIELDS(PoolAmount, pool, amount, span, replica)
GPOL_FIELDS(QueueSettings::Word, value, span)
GPOL_FIELDS(QueueSettings::LimitWord, unlimited, at_most, span)
GPOL_FIELDS(QueueSettings, cohort, cohort_span, queueing_strategy, reclaim_within_cohort, within_cluster_queue,
            borrow_within_cohort, when_can_borrow, when_can_preempt, stop_policy, namespace_selector, lend, borrow,
            span)
GPOL_FIELDS(Runs, count, surge)
GPOL_FIELDS(Tenant, name, namespaces, owner, latency_class, reserves, quotas, shapes, jobs_at_most, runs, start, budget,
            budget_per, asks_at, queue, outside, preempts, span, class_span, jobs_span)
GPOL_FIELDS(Allow, borrower, lender, pool, amount, window, back_within, span)
GPOL_FIELDS(ProveHolds, holder, held, span)
GPOL_FIELDS(ProveReady, latency_class, within)
GPOL_FIELDS(Policy, resources, cluster, cluster_span, kueue_version, volcano_version, round, release, writers, guards, exempt, groups,
            pools, cohorts, windows, classes, tenants, allows, prove_holds, prove_ready, trusts, hardware, services,
            limits, calendars, prices, incident_payer, levers, approvals, planned)

}  // namespace gpol
