/** Of a URL's host, which has them around an IPv6 address. */
export const withoutBrackets = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, '');

/** The whole of a `Host`, at any port. */
export const isLoopbackAuthority = (authority: string): boolean => isLoopback(authority.replace(/:\d{1,5}$/, ''));

export function isLoopback(host: string): boolean {
  return /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
