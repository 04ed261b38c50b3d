// Physical fields: their ids, and the kinds of values they hold.

/**
 * How values of a field are stored. One user-visible name may exist with several kinds (two types of one
 * index, or a field mapped anew): each (name, kind) is a field of its own with its own {@link FieldId}.
 *
 * - `string`  terms as UTF-8 text (analyzed or not; booleans are the terms `T` and `F`)
 * - `int`     byte, short, integer: values fit 32 bits
 * - `long`    long, date (epoch ms), ip: 64-bit integers
 * - `float`   32-bit floats widened to double
 * - `double`
 * - `geo`     points (latitude, longitude)
 */
export type FieldKind = 'string' | 'int' | 'long' | 'float' | 'double' | 'geo';

/** Never reused within an index. Ids below {@link FIRST_USER_FIELD_ID} are the metadata fields. */
export type FieldId = number;
