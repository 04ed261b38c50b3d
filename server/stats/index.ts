// What the node measures, in the formats in which it is asked for.

export {
  clusterHealth,
  type HealthStatus,
  indexHealth,
  missingReplicas,
  shardHealth,
  isAtLeast,
  parseHealthStatus,
} from './cluster-health';
export { fieldColumns } from './field-columns';
export { INDEX_METRICS, largestIndices } from './index-metrics';
export { cachesOf, cacheTotalsOf, localShard, threadsOf, withFormer } from './local';
export { LoopDelay } from './loop-delay';
export { type MetricStats, NODE_METRICS } from './metrics';
export {
  cpuPercent,
  diskSpace,
  heapUsage,
  machineStats,
  maxFileDescriptors,
  memoryLimit,
  openFileDescriptors,
  residentAnonymousBytes,
} from './process';
export { PROMETHEUS_TYPE, renderMetrics } from './prometheus';
export { broadcastHeader, placeOf, routingOf } from './routing';
export { renderFlush, renderMerges, renderRefresh, renderSections } from './sections';
export { threadPools, type PoolStats } from './thread-pool';
