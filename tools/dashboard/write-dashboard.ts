import { writeFileSync } from 'node:fs';
import { file, writeDashboard } from './dashboard.ts';

writeFileSync(file, writeDashboard());
