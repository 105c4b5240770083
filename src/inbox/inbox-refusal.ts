/** The inbox does not take a delivery in now, though nothing is wrong with it. */
export class InboxRefusal extends Error {
  override readonly name = 'InboxRefusal';
  readonly reason: 'full' | 'closing';

  constructor(reason: 'full' | 'closing') {
    super(`The inbox is ${reason}`);
    this.reason = reason;
  }
}
