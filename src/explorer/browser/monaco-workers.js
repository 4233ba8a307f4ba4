/** Lets Monaco start its workers from files of the service; the page says what they are called. */
export function registerWorkers({ assets, workers }) {
  globalThis.MonacoEnvironment = {
    getWorker: (_id, label) => new Worker(assets + (workers[label] ?? workers.editor)),
  };
}
