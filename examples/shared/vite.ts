import react from '@vitejs/plugin-react';
import { defaultClientConditions, type UserConfig } from 'vite';

/** The settings that the examples have in common, each on a port of its own. */
export function exampleConfig(port: number): UserConfig {
  return {
    plugins: [react()],
    // the sources of the client package of this repository; a project of yours installs the package
    resolve: { conditions: ['workspace', ...defaultClientConditions] },
    server: { port, strictPort: true },
  };
}
