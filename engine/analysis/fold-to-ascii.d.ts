// The package `fold-to-ascii` carries no types.

declare module 'fold-to-ascii' {
  const ASCIIFolder: {
    /** Folds what has an ASCII equivalent and keeps everything else. */
    foldMaintaining(text: string): string;
  };
  export default ASCIIFolder;
}
