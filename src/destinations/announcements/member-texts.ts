import { endOfString } from '../../base/json-shape.ts';

/** Members of a JSON object as the texts of their values, by their names. */
export type MemberTexts = ReadonlyMap<string, string>;

/**
 * Reads the members of a JSON object. It reads the text once and builds no values: parsing a record takes ten times as long, and rounds its
 * numbers. The object must be valid, without space around its names and commas.
 */
export function memberTexts(object: string): MemberTexts {
  const members = new Map<string, string>();
  for (let at = 1; at < object.length - 1; ) {
    const colon = endOf(object, at);
    const end = endOf(object, colon + 1);
    members.set(JSON.parse(object.slice(at, colon)), object.slice(colon + 1, end));
    at = end + 1;
  }
  return members;
}

/** Writes a JSON object of members, in their order. */
export const writeMembers = (members: MemberTexts): string =>
  `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Returns where the value that begins here ends: at the comma, colon or bracket behind it. */
function endOf(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at) - 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth += 1;
    else if (depth === 0 && (code === COMMA || code === COLON || code === CLOSING_BRACE)) return at;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  return json.length;
}
