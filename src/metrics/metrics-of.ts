import { Counter, Gauge, type Registry } from 'prom-client';

export function metricsOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),
    /** A gauge that is set whenever the metrics are read. */
    watch: <Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      collect: (gauge: Gauge<Label>) => void | Promise<void>,
    ) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          return collect(this);
        },
      }),
  };
}
