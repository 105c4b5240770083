/** Advice by the code or message of Node's error; undefined for other failures. `trust` ends a sentence: how to trust an authority. */
export function certificateAdvice(error: string, trust: string): string | undefined {
  if (/SELF_SIGNED_CERT|self-signed certificate/.test(error))
    return `Its certificate is of an authority that is not public: ${trust}`;
  // Node cannot tell whether the issuer is unknown or was only not sent.
  if (/UNABLE_TO_(GET_ISSUER|VERIFY)|unable to (get|verify)/.test(error))
    return `It sends its certificate without that of the issuer: have it send its whole chain, with the intermediate certificates (fullchain.pem, not cert.pem). If its authority is not public, ${trust}`;
  return undefined;
}
