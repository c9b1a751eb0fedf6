-- CreateTable
CREATE TABLE "QueueItem" (
    "runId" TEXT NOT NULL,
    "queueName" TEXT NOT NULL,
    "rankAt" TIMESTAMP(3) NOT NULL,
    "availableAt" TIMESTAMP(3) NOT NULL,
    "claimedBy" TEXT,
    "token" INTEGER NOT NULL DEFAULT 0,
    "isUnlimited" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "QueueItem_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "Queue" (
    "name" TEXT NOT NULL,
    "maxConcurrency" INTEGER NOT NULL,

    CONSTRAINT "Queue_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "SchedulerState" (
    "dagName" TEXT NOT NULL,
    "watermarkAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SchedulerState_pkey" PRIMARY KEY ("dagName")
);

-- CreateTable
CREATE TABLE "StateEntry" (
    "scope" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "StateEntry_pkey" PRIMARY KEY ("scope", "namespace", "key")
);

-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN "depth" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "parentId" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "parentNode" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "rootId" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "fencingToken" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "DagRun" ADD COLUMN "autoRetryCount" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "autoRetryLimit" INTEGER;
ALTER TABLE "DagRun" ADD COLUMN "retryAt" TIMESTAMP(3);
ALTER TABLE "DagRun" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRun" ADD COLUMN "artifactsDir" TEXT;

-- AlterTable
ALTER TABLE "DagRunStep" ADD COLUMN "scope" TEXT NOT NULL DEFAULT '';
ALTER TABLE "DagRunStep" ADD COLUMN "iteration" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DagRunStep" ADD COLUMN "gate" JSONB;
ALTER TABLE "DagRunStep" ADD COLUMN "memo" JSONB;
ALTER TABLE "DagRunStep" DROP CONSTRAINT "DagRunStep_pkey";
ALTER TABLE "DagRunStep" ADD CONSTRAINT "DagRunStep_pkey" PRIMARY KEY ("runId", "scope", "position");
DROP INDEX "dag_run_step_run_id_name_key";
CREATE UNIQUE INDEX "dag_run_step_run_id_scope_name_key" ON "DagRunStep"("runId", "scope", "name");

-- AddForeignKey
ALTER TABLE "DagRun" ADD CONSTRAINT "DagRun_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "DagRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QueueItem" ADD CONSTRAINT "QueueItem_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
