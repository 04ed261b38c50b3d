// Snapshots and restore over repositories of files.

export { SnapshotService } from './service';
