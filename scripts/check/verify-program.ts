#!/usr/bin/env node
// facetd-verify as a program of its own; the server contains the command as well.

import { runCommand } from './folder-command';
import { verifyCommand } from './verify';

runCommand('facetd-verify', () => verifyCommand(process.argv.slice(2)));
