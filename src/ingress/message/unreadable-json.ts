/** Why bytes are not read as JSON; the message quotes nothing of them. */
export class UnreadableJson extends Error {
  override readonly name = 'UnreadableJson';
}
