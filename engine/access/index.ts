// Keys: who may use the node, and the part of its state that each may see.

export { denied, deniedOn } from './denied';
export { type KeyUses } from './key-uses';
export { KeysService } from './keys';
export { grantsSome, StateView } from './state-view';
