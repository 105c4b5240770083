/** Reports whether the authority of a request, the whole of its `Host`, is this machine, at any port. */
export const isLoopbackAuthority = (authority: string): boolean => isLoopback(authority.replace(/:\d{1,5}$/, ''));

/** Reports whether a host, as an address or a URL names it, is this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
