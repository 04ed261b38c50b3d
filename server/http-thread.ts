// Entry point of a thread that takes requests.

import { runReaderThread } from '../engine/index';
import { slowLoggerOf, startProgram, type ThreadProgramData } from './http-threads/index';

runReaderThread<ThreadProgramData>(slowLoggerOf, startProgram);
