import type { Verification } from '../../../src/config/tenants/verification.ts';

/** The warehouse's own signature, and nothing set for the other ways. */
export const verification: Verification = {
  verify: 'rsa-sha256',
  token: [],
  secret: [],
  header: '',
  encoding: 'hex',
  prefix: '',
  toleranceMs: 300_000,
  user: '',
  password: [],
};
