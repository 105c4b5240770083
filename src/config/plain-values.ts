import type { Environment } from '../forms/forms.ts';

/**
 * Drops white space around each value, such as the line end of a secret's file, and quotes around it, which `docker --env-file` and
 * Kubernetes leave where a shell and systemd drop them. What is within the quotes stays as it is.
 */
export const plainValues = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value && plainValue(value)]));

function plainValue(value: string): string {
  const trimmed = value.trim();
  return /^(["'])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed;
}
