/** Choosing, putting together and writing more entries than these takes longer than counting may. */
export const MOST_SMALL_ENTRIES = 1000;
