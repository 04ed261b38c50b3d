// The expression language of scripts: parsing, compiling and running them.

export type { BinaryOperator, Expression, Statement } from './ast';
export { propertyOfGetter } from './dates';
export { BigInteger } from './decimal';
export { firstIndex, type ScriptField } from './doc-fields';
export { scriptClass } from './errors';
export { geoMethod } from './geo-methods';
export { GatheredState, GatheringScript } from './gathering-scripts';
export {
  FILE_LANGUAGES,
  ScriptLibrary,
  type ScriptRequest,
  type StoredScriptReader,
} from './library';
export { ScriptMembers, scriptName, type ScriptParameter } from './parse-script';
export { SEARCH_STEPS } from './limits';
export { doubleFunction } from './math';
export { checkSource, languageOf, parseScript, planScript, type ScriptPlan } from './plan';
export { staticClass } from './static-code';
export { assignedNames } from './tree-walk';
export { sourceToStore, storedSource } from './stored-source';
export { bindScript, type BoundScript, type ScriptVariable } from './script';
export type { ScriptName } from './template/script-name';
export {
  readTemplate,
  templateBehind,
  unreadableTemplate,
  type TemplateRequest,
} from './template/template-request';
export { runUpdateScript } from './update-script';
export { valueFromText } from './value-text';
export {
  HostObject,
  isNumber,
  javaClassOf,
  objectFromJson,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
  termTextOf,
  textOf,
  toBigInt,
  toDouble,
  toOutput,
} from './values';
