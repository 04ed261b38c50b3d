import { ScriptLibrary } from '../../engine/script/library';

/** A library without scripts. */
export const NO_SCRIPTS = new ScriptLibrary(() => undefined, new Map());
