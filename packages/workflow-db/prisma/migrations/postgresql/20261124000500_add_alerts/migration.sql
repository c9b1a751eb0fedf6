-- AlterTable
ALTER TABLE "EventSubscription" ADD COLUMN     "lateAfterSeconds" INTEGER,
ADD COLUMN     "staleAfterSeconds" INTEGER;

-- AlterTable
ALTER TABLE "OutboxEvent" ADD COLUMN     "step" TEXT,
ADD COLUMN     "type" TEXT;

-- CreateTable
CREATE TABLE "AlertMark" (
    "subscriptionId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AlertMark_pkey" PRIMARY KEY ("subscriptionId","subject")
);

-- AddForeignKey
ALTER TABLE "AlertMark" ADD CONSTRAINT "AlertMark_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "EventSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;
