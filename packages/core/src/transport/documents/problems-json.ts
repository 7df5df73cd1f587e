import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { STATUS_OF_KIND } from '../http/problem.ts';
import { allErrors, errorsOf } from '../openapi/errors.ts';
import { routeOf } from './about.ts';

/**
 * Every error by code, with the operations that answer it; null: any operation may. Programs look codes up here,
 * and the pages about errors are made from it.
 */
export function problemsJson(operations: readonly AnyOperation[]): object {
  const codes = operations.map((operation) => new Set(errorsOf(operation).map(({ code }) => code)));
  return {
    problems: allErrors(operations).map(({ code, kind, remedy, retryable, title }) => {
      const answering = operations.filter((_, index) => codes[index]?.has(code));
      const isGeneral = answering.length === 0 || answering.length === operations.length;
      return {
        code,
        kind,
        operations: isGeneral
          ? null
          : answering.map((operation) => ({ name: operation.name, route: routeOf(operation) })),
        remedy,
        retryable,
        status: STATUS_OF_KIND[kind],
        title,
      };
    }),
  };
}
