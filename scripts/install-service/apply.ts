// Putting one item in place, or telling what that would change.

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Item } from './layout';

/** Ids of the service's user and group, or null where ownership is not touched. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Target {
  /** Below which folder everything is put. */
  readonly root: string;
  readonly dryRun: boolean;
  readonly service: Owner | null;
}

export type Outcome = 'created' | 'changed' | 'unchanged' | 'kept' | 'removed' | 'absent';

/** Puts an item in place. @returns what that changed, or would change. @throws Error of the file system */
export function apply(item: Item, target: Target): Outcome {
  const path = join(target.root, item.path);
  switch (item.kind) {
    case 'folder': {
      const isThere = exists(path);
      if (!isThere && !target.dryRun) mkdirSync(path, { recursive: true, mode: item.mode });
      const isAdjusted = adjust(path, item, target);
      return isThere ? (isAdjusted ? 'changed' : 'unchanged') : 'created';
    }
    case 'file':
      return applyFile(path, item, target);
    case 'link':
      return applyLink(path, item.target, target.dryRun);
  }
}

/** Removes a file, a link or an empty folder. */
export function remove(absolutePath: string, target: Target): Outcome {
  const path = join(target.root, absolutePath);
  if (!exists(path)) return 'absent';
  const isFolder = lstatSync(path).isDirectory();
  try {
    if (!target.dryRun) {
      if (isFolder) rmdirSync(path);
      else rmSync(path);
    }
    return 'removed';
  } catch (error) {
    // The operator's own drop-ins are in it.
    if (isFolder && (error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return 'kept';
    throw error;
  }
}

function applyFile(path: string, item: Item & { kind: 'file' }, target: Target): Outcome {
  const isThere = exists(path);
  if (isThere && item.isConfiguration) return 'kept';
  const isSame = isThere && readFileSync(path, 'utf8') === item.content;
  if (!isSame && !target.dryRun) {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.new`;
    writeFileSync(temporary, item.content, { mode: item.mode });
    renameSync(temporary, path);
  }
  const isAdjusted = adjust(path, item, target);
  if (!isThere) return 'created';
  return isSame && !isAdjusted ? 'unchanged' : 'changed';
}

function applyLink(path: string, to: string, dryRun: boolean): Outcome {
  const isThere = exists(path);
  if (isThere) {
    if (!lstatSync(path).isSymbolicLink()) throw new Error(`${path} is there and is not a link`);
    if (readlinkSync(path) === to) return 'unchanged';
  }
  if (!dryRun) {
    mkdirSync(dirname(path), { recursive: true });
    if (isThere) rmSync(path);
    symlinkSync(to, path);
  }
  return isThere ? 'changed' : 'created';
}

/** Sets mode and owner where they differ. */
function adjust(path: string, item: Item & { kind: 'folder' | 'file' }, target: Target): boolean {
  if (!exists(path)) return false;
  const { mode, uid, gid } = statSync(path);
  const isOtherMode = (mode & 0o7777) !== item.mode;
  if (isOtherMode && !target.dryRun) chmodSync(path, item.mode);
  const owner = ownerOf(item, target);
  const isOtherOwner = owner !== null && (uid !== owner.uid || gid !== owner.gid);
  if (isOtherOwner && !target.dryRun) chownSync(path, owner.uid, owner.gid);
  return isOtherMode || isOtherOwner;
}

function ownerOf(item: Item & { kind: 'folder' | 'file' }, target: Target): Owner | null {
  if (target.service === null) return null;
  const { uid, gid } = target.service;
  return {
    uid: item.owner === 'service' ? uid : 0,
    gid: item.owner === 'root' ? 0 : gid,
  };
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
