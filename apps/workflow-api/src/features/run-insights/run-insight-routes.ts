import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { RunInsightService } from './run-insight-service';

export function bindRunInsightRoutes(bind: Bind, insights: RunInsightService): void {
  bind(workflowContract.compareDagRuns, ({ input: { params, query }, principal }) => {
    return insights.compare(params, { dagRunId: query.with, name: query.withName }, principal);
  });

  bind(workflowContract.getDagRunEnvironment, ({ input: { params, query }, principal }) => {
    return insights.environment(params, query.step, principal);
  });

  bind(workflowContract.getSubDagRunEnvironment, ({ input: { params, query }, principal }) => {
    return insights.environment(params, query.step, principal);
  });

  bind(workflowContract.listDagRunAttempts, ({ input: { params }, principal }) => {
    return insights.attempts(params, principal);
  });

  bind(workflowContract.listSubDagRunAttempts, ({ input: { params }, principal }) => {
    return insights.attempts(params, principal);
  });

  bind(workflowContract.getDagRunNeighbours, ({ input: { params }, principal }) => {
    return insights.neighbours(params, principal);
  });

  bind(workflowContract.listFailures, ({ input: { query }, principal }) => {
    return insights.failures(query, principal);
  });
}
