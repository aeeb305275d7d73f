/**
 * Where an event stands in a run: how many entries the journal had with the one that it is read from, and which of its events it is. Pieces
 * that aren't recorded stand behind those of the entry that was recorded last.
 */
export interface EventPlace {
  readonly position: number;
  /** The number of the event within its entry, from 0; those that aren't recorded count on from `firstPiece`. */
  readonly index: number;
}

/** No entry has as many events. */
export const firstPiece = 1_000_000;

export const beforeAll: EventPlace = { position: 0, index: -1 };

/** `12.0` for the first event of the twelfth entry, `12+0` for the first piece behind it. */
export const eventId = ({ position, index }: EventPlace): string =>
  index >= firstPiece ? `${position}+${index - firstPiece}` : `${position}.${index}`;

/** Throws `TypeError` for what is no id of an event. */
export function placeOf(id: string): EventPlace {
  const [, position, kind, index] = /^(\d{1,15})([.+])(\d{1,15})$/.exec(id) ?? [];
  if (position === undefined) {
    throw new TypeError(`events: after must be the id of an event, such as "12.0", got ${JSON.stringify(id)}. Leave it out to get all.`);
  }
  return { position: Number(position), index: Number(index) + (kind === "+" ? firstPiece : 0) };
}

export const isAfter = (one: EventPlace, other: EventPlace): boolean =>
  one.position > other.position || (one.position === other.position && one.index > other.index);
