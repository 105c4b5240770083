import type { Verification, VerificationMethod } from '../../config/tenants/verification.ts';
import type { Endpoint } from '../endpoints.ts';
import { createBasicVerifier } from './basic.ts';
import { createHmacVerifier } from './hmac-sha256.ts';
import { createOpenVerifier } from './none.ts';
import { createRsaVerifier } from './rsa-sha256.ts';
import { createStandardWebhooksVerifier } from './standard-webhooks.ts';
import { createTokenVerifier } from './token.ts';
import type { Verifier } from './verifier.ts';

const verifiers: Record<VerificationMethod, (verification: Verification, baseUrl: string) => Verifier> = {
  'rsa-sha256': (_, baseUrl) => createRsaVerifier({ baseUrl }),
  'hmac-sha256': createHmacVerifier,
  'standard-webhooks': createStandardWebhooksVerifier,
  basic: createBasicVerifier,
  token: createTokenVerifier,
  none: createOpenVerifier,
};

/** What a sender is told to send, where that has a scheme (RFC 9110, 11.6.1): some offer a password only when they are asked. */
const challenges: Partial<Record<VerificationMethod, string>> = {
  basic: 'Basic realm="webhook", charset="UTF-8"',
  token: 'Bearer realm="webhook"',
};

/** How an endpoint is protected, by what is set for its tenant; the warehouse's key is below its base address. */
export function protect({
  verification,
  access: { baseUrl },
}: {
  readonly verification: Verification;
  readonly access: { readonly baseUrl: string };
}): Pick<Endpoint, 'verify' | 'challenge'> {
  const { verify } = verification;
  return { verify: verifiers[verify](verification, baseUrl), challenge: challenges[verify] };
}
