// The `smoothing` of a phrase suggestion: what is said of words that were not seen together.

import { illegalArgument } from '../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { double, isValue } from '../contract/suggest-scope';
import type { LanguageModel } from '../contract/phrase-spec';

const NOTHING: JsonObject = new Map<string, JsonValue>();

/** How far the weights of a linear model may be from 1 together. */
const TOLERANCE = 0.001;

/** @param known a model that was given before @throws EngineError ElasticsearchIllegalArgumentException */
export function parseSmoothing(
  body: JsonObject,
  known: LanguageModel | null,
): LanguageModel | null {
  let model = known;
  for (const [name, value] of body) {
    const options: JsonObject = isJsonObject(value) ? value : NOTHING;
    const isKnown = /^(linear|laplace|stupid_backoff|stupidBackoff)$/.test(name);
    if (!isKnown) {
      throw illegalArgument(`suggester[phrase] doesn't support object field [${name}]`);
    }
    if (model !== null) throw illegalArgument('only one smoothing model supported');
    if (name === 'linear') model = linear(options);
    else if (name === 'laplace') model = { kind: 'laplace', alpha: number(options, 'alpha', 0.5) };
    else model = { kind: 'stupidBackoff', discount: number(options, 'discount', 0.4) };
  }
  return model;
}

function number(options: JsonObject, name: string, standard: number): number {
  const value = options.get(name) ?? null;
  return isValue(value) ? double(value) : standard;
}

function linear(options: JsonObject): LanguageModel {
  const lambdas = { trigram: 0, bigram: 0, unigram: 0 };
  for (const [name, value] of options) {
    if (!isValue(value)) continue;
    const gram = /^(trigram|bigram|unigram)(_lambda|Lambda)$/.exec(name)?.[1];
    if (gram === undefined) {
      throw illegalArgument(`suggester[phrase][smoothing][linear] doesn't support field [${name}]`);
    }
    const lambda = double(value);
    if (lambda < 0) throw illegalArgument(`${gram}_lambda must be positive`);
    lambdas[gram as keyof typeof lambdas] = lambda;
  }
  const { trigram, bigram, unigram } = lambdas;
  const sum = trigram + bigram + unigram;
  if (Math.abs(sum - 1) > TOLERANCE) {
    throw illegalArgument('linear smoothing lambdas must sum to 1');
  }
  const whole = unigram + bigram + trigram;
  return {
    kind: 'linear',
    trigram: trigram / whole,
    bigram: bigram / whole,
    unigram: unigram / whole,
  };
}
