-- CreateTable
CREATE TABLE "OutboxEvent" (
    "id" TEXT NOT NULL,
    "occurredAt" TIMESTAMP(3) NOT NULL,
    "runId" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "workspace" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,

    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EventSubscription" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "events" JSONB NOT NULL,
    "workspace" TEXT,
    "dagName" TEXT,
    "host" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "disabledReason" TEXT,
    "failingSince" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT NOT NULL,

    CONSTRAINT "EventSubscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EventDelivery" (
    "id" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "nextAttemptAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "responseStatus" INTEGER,
    "error" TEXT,

    CONSTRAINT "EventDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "outbox_event_oldest_idx" ON "OutboxEvent"("occurredAt");

-- CreateIndex
CREATE INDEX "event_delivery_due_idx" ON "EventDelivery"("nextAttemptAt");

-- CreateIndex
CREATE INDEX "event_delivery_newest_idx" ON "EventDelivery"("subscriptionId", "createdAt");

-- AddForeignKey
ALTER TABLE "EventDelivery" ADD CONSTRAINT "EventDelivery_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "EventSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;
