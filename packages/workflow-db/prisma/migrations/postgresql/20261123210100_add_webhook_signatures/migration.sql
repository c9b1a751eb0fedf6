-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN     "verification" JSONB,
ADD COLUMN     "secretRef" TEXT,
ADD COLUMN     "secretKeyId" TEXT,
ADD COLUMN     "secretText" TEXT,
ADD COLUMN     "paramsFilter" TEXT,
ADD COLUMN     "callsPerMinute" INTEGER NOT NULL DEFAULT 60;

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "webhookId" TEXT NOT NULL,
    "receivedAt" TIMESTAMP(3) NOT NULL,
    "isAuthentic" BOOLEAN NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "message" TEXT,
    "deliveryId" TEXT,
    "replayKey" TEXT,
    "headers" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,
    "body" TEXT,
    "address" TEXT NOT NULL,
    "dagRunId" TEXT,
    "redeliveryOf" TEXT,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_delivery_newest_idx" ON "WebhookDelivery"("webhookId", "isAuthentic", "receivedAt");

-- CreateIndex
CREATE INDEX "webhook_delivery_replay_key_idx" ON "WebhookDelivery"("webhookId", "replayKey");

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
