#!/usr/bin/env node
// facetd-repair as a program of its own; the server contains the command as well.

import { runCommand } from './folder-command';
import { repairCommand } from './repair';

runCommand('facetd-repair', () => repairCommand(process.argv.slice(2)));
