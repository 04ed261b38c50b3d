// The package `snowball-stemmers` carries no types.

declare module 'snowball-stemmers' {
  /** @throws Error for an algorithm that the package does not have. */
  export function newStemmer(algorithm: string): { stem(word: string): string };
}
