// Administration of indices, maintenance, and the periodic work of a node.

export { createAdministration, type AdministrationService } from './administration';
export { readConfiguredDefaults } from './config-files';
export { DiskWatch, type ReadSpace } from './disk-watch';
export { type Gate, NodeGate } from './gate';
export { MaintenanceService } from './maintenance';
export { formerFigures, shardTotals } from './node-stats';
export { RefreshScheduler, scheduledIndices } from './refresh-scheduler';
export { StoredScriptsService } from './stored-scripts';
export { Warmer } from './warmer';
