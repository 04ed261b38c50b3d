// Debian's Chromium, where it is installed, driven over its protocol.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program of the browser; null where there is none. */
export function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const named = process.env['CHROMIUM'];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const path of named === undefined ? candidates : [named]) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  return null;
}

/** Starts a browser. Containers have no namespaces for its own sandbox; it sees this server only. */
export function startBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
}
