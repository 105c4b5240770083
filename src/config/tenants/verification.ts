/** What each way to verify deliveries cannot do without. */
export const verificationNeeds = {
  'rsa-sha256': [],
  'hmac-sha256': ['secret', 'header'],
  'standard-webhooks': ['secret'],
  basic: ['user', 'password'],
  token: ['token'],
  none: [],
} as const satisfies Record<string, readonly (keyof Verification)[]>;

/** A way to verify deliveries. */
export type VerificationMethod = keyof typeof verificationNeeds;

/** A setting that some way to verify deliveries cannot do without. */
export type VerificationNeed = (typeof verificationNeeds)[VerificationMethod][number];

/** How deliveries are told from those of strangers; what is not set is empty, and of several secrets any will do. */
export interface Verification {
  readonly verify: VerificationMethod;
  /** What `token` compares with. */
  readonly token: readonly string[];
  /** What `hmac-sha256` (as text) and `standard-webhooks` (`whsec_` and base64) sign with. */
  readonly secret: readonly string[];
  /** Where `hmac-sha256` finds the signature: the header's name in lower case, how its bytes are written, and what stands before them. */
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
  /** How far from now the timestamp of `standard-webhooks` may be, in milliseconds. */
  readonly toleranceMs: number;
  /** What `basic` compares with. */
  readonly user: string;
  readonly password: readonly string[];
}

/** What is wrong with the secrets of a way to verify deliveries, or undefined; `whsec_` is how Standard Webhooks writes them. */
export function secretProblem(verify: unknown, secrets: readonly string[] = []): string | undefined {
  const isSound = verify !== 'standard-webhooks' || secrets.every((secret) => WHSEC.test(secret));
  return isSound ? undefined : 'must be whsec_ and at least 24 bytes in base64 with verification by standard-webhooks';
}

/** A secret of Standard Webhooks with at least 24 bytes. */
export const WHSEC = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
