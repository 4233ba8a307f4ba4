import { type RunnerTestFile, TestRunner } from 'vitest';
import { closeShared } from './shared.ts';

/** Closes what a file shared also if none of its tests ran, whose hooks Vitest does not run. */
export default class Runner extends TestRunner {
  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    await closeShared();
    super.onAfterRunFiles(files);
  }
}
