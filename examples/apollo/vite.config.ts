import { defineConfig } from 'vite';
import { exampleConfig } from '../shared/vite.ts';

export default defineConfig(exampleConfig(5174));
