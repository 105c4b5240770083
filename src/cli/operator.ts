import { userInfo } from 'node:os';

/** For the audit log. A user id without an entry, as a container may have, names itself. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}
