-- CreateTable
CREATE TABLE "QueueItem" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "queueName" TEXT NOT NULL,
    "rankAt" DATETIME NOT NULL,
    "availableAt" DATETIME NOT NULL,
    "claimedBy" TEXT,
    "token" INTEGER NOT NULL DEFAULT 0,
    "isUnlimited" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "QueueItem_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Queue" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "maxConcurrency" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "SchedulerState" (
    "dagName" TEXT NOT NULL PRIMARY KEY,
    "watermarkAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "StateEntry" (
    "scope" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("scope", "namespace", "key")
);

-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN "depth" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "parentId" TEXT REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DagRun" ADD COLUMN "parentNode" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "rootId" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "fencingToken" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "DagRun" ADD COLUMN "autoRetryCount" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "autoRetryLimit" INTEGER;
ALTER TABLE "DagRun" ADD COLUMN "retryAt" DATETIME;
ALTER TABLE "DagRun" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "artifactsDir" TEXT;

-- The primary key gets another column. Nothing refers to this table.
CREATE TABLE "new_DagRunStep" (
    "runId" TEXT NOT NULL,
    "scope" TEXT NOT NULL DEFAULT '',
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "exitCode" INTEGER,
    "error" TEXT,
    "stdoutFile" TEXT NOT NULL,
    "stderrFile" TEXT NOT NULL,
    "retryCount" INTEGER NOT NULL DEFAULT 0,
    "doneCount" INTEGER NOT NULL DEFAULT 0,
    "pid" INTEGER,
    "processStartedAt" TEXT,
    "outputs" JSONB,
    "iteration" INTEGER NOT NULL DEFAULT 0,
    "gate" JSONB,
    "memo" JSONB,

    PRIMARY KEY ("runId", "scope", "position"),
    CONSTRAINT "DagRunStep_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_DagRunStep" ("doneCount", "error", "exitCode", "finishedAt", "name", "outputs", "pid", "position", "processStartedAt", "retryCount", "runId", "startedAt", "status", "stderrFile", "stdoutFile") SELECT "doneCount", "error", "exitCode", "finishedAt", "name", "outputs", "pid", "position", "processStartedAt", "retryCount", "runId", "startedAt", "status", "stderrFile", "stdoutFile" FROM "DagRunStep";
DROP TABLE "DagRunStep";
ALTER TABLE "new_DagRunStep" RENAME TO "DagRunStep";
CREATE UNIQUE INDEX "dag_run_step_run_id_scope_name_key" ON "DagRunStep"("runId", "scope", "name");

-- Lists are of runs that no step started.
DROP INDEX "dag_run_status_idx";
DROP INDEX "dag_run_dag_name_status_idx";
DROP INDEX "dag_run_workspace_newest_idx";
DROP INDEX "dag_run_workspace_status_idx";
DROP INDEX "dag_run_newest_idx";
DROP INDEX "dag_run_dag_name_newest_idx";
CREATE INDEX "dag_run_status_idx" ON "DagRun"("depth", "status", "createdAt", "dagName", "id");
CREATE INDEX "dag_run_dag_name_status_idx" ON "DagRun"("depth", "dagName", "status");
CREATE INDEX "dag_run_workspace_newest_idx" ON "DagRun"("depth", "workspace", "createdAt", "dagName", "id");
CREATE INDEX "dag_run_workspace_status_idx" ON "DagRun"("depth", "workspace", "status", "createdAt", "dagName", "id");
CREATE INDEX "dag_run_newest_idx" ON "DagRun"("depth", "createdAt", "dagName", "id");
CREATE INDEX "dag_run_dag_name_newest_idx" ON "DagRun"("depth", "dagName", "createdAt", "id");
CREATE INDEX "dag_run_parent_idx" ON "DagRun"("parentId", "parentNode");
CREATE INDEX "dag_run_retry_at_idx" ON "DagRun"("retryAt");

-- CreateIndex
CREATE INDEX "queue_item_queue_idx" ON "QueueItem"("queueName", "claimedBy", "rankAt");

-- CreateIndex
CREATE INDEX "queue_item_claimed_by_idx" ON "QueueItem"("claimedBy", "rankAt");



-- Runs that wait or are under way keep their places.
INSERT INTO "QueueItem" ("runId", "queueName", "rankAt", "availableAt", "claimedBy", "isUnlimited")
SELECT "id", COALESCE("queueName", "dagName"), "createdAt", "createdAt", "ownerId", true
FROM "DagRun" WHERE "status" IN ('queued', 'running');
