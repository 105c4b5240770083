/** What a fault found that is not as Dockline promises. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
}

/** Why a fault cannot be had on this machine. */
export class FaultUnavailableError extends Error {
  override readonly name = 'FaultUnavailableError';
}
