// Administration of indices, maintenance, and the periodic work of a node.

export { type AdministrationService, createAdministration } from './administration';
export { readConfiguredDefaults } from './config-files';
export { DiskWatch, type ReadSpace } from './disk-watch';
export { type Gate, NodeGate } from './gate';
export { indexStats, MaintenanceService } from './maintenance';
export type { NodeSettings } from './node-settings';
export { formerStats, shardTotals } from './node-stats';
export { RefreshScheduler, scheduledIndices } from './refresh-scheduler';
export { StoredScriptsService } from './stored-scripts';
export { Warmer } from './warmer';
