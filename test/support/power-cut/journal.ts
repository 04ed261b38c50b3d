// What unsynced.c wrote down, as changes of names in folders. Which of them a disk may have lost is decided
// by disk.ts.
//
// A folder's changes become durable in their order, as journaling file systems do it (ext4, XFS): when the
// folder is synced, all of them so far; when a new file is synced, those up to its creation. Folders do not
// wait for one another, and a rename needs the sync of its folder.

import { basename, dirname } from 'node:path';

/** What a name in a folder stands for: a file by its inode, or a folder. */
export type Named = { readonly inode: string } | 'folder';

/** One change of a folder, in effect as a whole: names and what they stand for then, null for nothing. */
type Change = readonly (readonly [string, Named | null])[];

/** A folder: its names when watching began, and what was changed since. */
export class FolderHistory {
  readonly changes: Change[] = [];
  /** So many changes were made before each line of the journal; only those lines that changed this folder. */
  private readonly lines: number[] = [];
  /** So many of the changes no power cut takes back. */
  durable = 0;

  constructor(private readonly before: ReadonlyMap<string, Named>) {}

  change(line: number, change: Change): void {
    this.changes.push(change);
    this.lines.push(line);
  }

  /** The folder was synced, beginning when the journal had `lines` lines. */
  synced(lines: number): void {
    const count = this.lines.filter((line) => line < lines).length;
    this.durable = Math.max(this.durable, count);
  }

  /** The names after the first `count` changes. */
  names(count = this.changes.length): Map<string, Named> {
    const names = new Map(this.before);
    for (const change of this.changes.slice(0, count)) {
      for (const [name, named] of change) {
        if (named === null) names.delete(name);
        else names.set(name, named);
      }
    }
    return names;
  }

  /** What a name stands for now. */
  get(name: string): Named | undefined {
    for (let i = this.changes.length - 1; i >= 0; i--) {
      const found = this.changes[i]!.find(([changed]) => changed === name);
      if (found !== undefined) return found[1] ?? undefined;
    }
    return this.before.get(name);
  }
}

/** Folders by path, and the files that were emptied and not synced since. */
export interface DiskHistory {
  readonly folders: ReadonlyMap<string, FolderHistory>;
  readonly emptied: ReadonlySet<string>;
}

/** Applies a journal. @param folders of the time when watching began; they are changed */
export function readJournal(text: string, folders: Map<string, FolderHistory>): DiskHistory {
  const emptied = new Set<string>();
  /** Where files were created that have not been synced yet. */
  const created = new Map<string, { readonly folder: FolderHistory; readonly line: number }>();
  const folderOf = (path: string): FolderHistory => {
    const folder = folders.get(dirname(path));
    if (folder === undefined) throw new Error(`nothing is known of the folder of ${path}`);
    return folder;
  };
  const named = (path: string): Named => {
    const found = folderOf(path).get(basename(path));
    if (found === undefined) throw new Error(`nothing is known of ${path}`);
    return found;
  };
  // The last line may be incomplete.
  for (const [line, content] of text.split('\n').slice(0, -1).entries()) {
    const kind = content[0];
    const rest = content.slice(2);
    const [first = '', second = ''] = rest.split(/[ \t](.*)/s);
    switch (kind) {
      case 'C':
        folderOf(second).change(line, [[basename(second), { inode: first }]]);
        created.set(first, { folder: folderOf(second), line });
        break;
      case 'T':
        emptied.add(first);
        break;
      case 'R': {
        if (dirname(first) !== dirname(second)) throw new Error(`moved between folders: ${rest}`);
        const moved = named(first);
        if (moved === 'folder') throw new Error(`a folder was renamed: ${rest}`);
        folderOf(first).change(line, [
          [basename(first), null],
          [basename(second), moved],
        ]);
        break;
      }
      case 'L':
        folderOf(second).change(line, [[basename(second), named(first)]]);
        break;
      case 'U':
      case 'X':
        folderOf(rest).change(line, [[basename(rest), null]]);
        if (kind === 'X') folders.delete(rest);
        break;
      case 'M':
        folderOf(rest).change(line, [[basename(rest), 'folder']]);
        folders.set(rest, new FolderHistory(new Map()));
        break;
      case 'F': {
        emptied.delete(second);
        const at = created.get(second);
        if (at !== undefined) at.folder.synced(at.line + 1);
        created.delete(second);
        break;
      }
      case 'D':
        // One that is gone by now needs nothing.
        folders.get(second)?.synced(Number(first));
        break;
      default:
        throw new Error(`line ${line} of the journal: ${content}`);
    }
  }
  return { folders, emptied };
}
