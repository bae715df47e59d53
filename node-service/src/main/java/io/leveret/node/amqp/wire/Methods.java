package io.leveret.node.amqp.wire;

/** Finds the record for a method's number and reads its arguments. */
final class Methods {
    private Methods() {}

    /** @throws AmqpException when there is no such method, or a field is malformed */
    static Method read(int classId, int methodId, MethodReader in) {
        int id = (classId << 16) | methodId;
        return switch (classId) {
            case BasicMethod.CLASS_ID -> readBasic(id, in);
            case QueueMethod.CLASS_ID -> readQueue(id, in);
            case ExchangeMethod.CLASS_ID -> readExchange(id, in);
            case ChannelMethod.CLASS_ID -> readChannel(id, in);
            case ConnectionMethod.CLASS_ID -> readConnection(id, in);
            case ConfirmMethod.CLASS_ID -> readConfirm(id, in);
            case TxMethod.CLASS_ID -> readTx(id);
            default -> throw unknown(id);
        };
    }

    private static BasicMethod readBasic(int id, MethodReader in) {
        return switch (id) {
            case BasicMethod.Qos.ID -> BasicMethod.Qos.read(in);
            case BasicMethod.QosOk.ID -> new BasicMethod.QosOk();
            case BasicMethod.Consume.ID -> BasicMethod.Consume.read(in);
            case BasicMethod.ConsumeOk.ID -> BasicMethod.ConsumeOk.read(in);
            case BasicMethod.Cancel.ID -> BasicMethod.Cancel.read(in);
            case BasicMethod.CancelOk.ID -> BasicMethod.CancelOk.read(in);
            case BasicMethod.Publish.ID -> BasicMethod.Publish.read(in);
            case BasicMethod.Return.ID -> BasicMethod.Return.read(in);
            case BasicMethod.Deliver.ID -> BasicMethod.Deliver.read(in);
            case BasicMethod.Get.ID -> BasicMethod.Get.read(in);
            case BasicMethod.GetOk.ID -> BasicMethod.GetOk.read(in);
            case BasicMethod.GetEmpty.ID -> BasicMethod.GetEmpty.read(in);
            case BasicMethod.Ack.ID -> BasicMethod.Ack.read(in);
            case BasicMethod.Reject.ID -> BasicMethod.Reject.read(in);
            case BasicMethod.RecoverAsync.ID -> BasicMethod.RecoverAsync.read(in);
            case BasicMethod.Recover.ID -> BasicMethod.Recover.read(in);
            case BasicMethod.RecoverOk.ID -> new BasicMethod.RecoverOk();
            case BasicMethod.Nack.ID -> BasicMethod.Nack.read(in);
            default -> throw unknown(id);
        };
    }

    private static QueueMethod readQueue(int id, MethodReader in) {
        return switch (id) {
            case QueueMethod.Declare.ID -> QueueMethod.Declare.read(in);
            case QueueMethod.DeclareOk.ID -> QueueMethod.DeclareOk.read(in);
            case QueueMethod.Bind.ID -> QueueMethod.Bind.read(in);
            case QueueMethod.BindOk.ID -> new QueueMethod.BindOk();
            case QueueMethod.Purge.ID -> QueueMethod.Purge.read(in);
            case QueueMethod.PurgeOk.ID -> QueueMethod.PurgeOk.read(in);
            case QueueMethod.Delete.ID -> QueueMethod.Delete.read(in);
            case QueueMethod.DeleteOk.ID -> QueueMethod.DeleteOk.read(in);
            case QueueMethod.Unbind.ID -> QueueMethod.Unbind.read(in);
            case QueueMethod.UnbindOk.ID -> new QueueMethod.UnbindOk();
            default -> throw unknown(id);
        };
    }

    private static ExchangeMethod readExchange(int id, MethodReader in) {
        return switch (id) {
            case ExchangeMethod.Declare.ID -> ExchangeMethod.Declare.read(in);
            case ExchangeMethod.DeclareOk.ID -> new ExchangeMethod.DeclareOk();
            case ExchangeMethod.Delete.ID -> ExchangeMethod.Delete.read(in);
            case ExchangeMethod.DeleteOk.ID -> new ExchangeMethod.DeleteOk();
            case ExchangeMethod.Bind.ID -> ExchangeMethod.Bind.read(in);
            case ExchangeMethod.BindOk.ID -> new ExchangeMethod.BindOk();
            case ExchangeMethod.Unbind.ID -> ExchangeMethod.Unbind.read(in);
            case ExchangeMethod.UnbindOk.ID -> new ExchangeMethod.UnbindOk();
            default -> throw unknown(id);
        };
    }

    private static ChannelMethod readChannel(int id, MethodReader in) {
        return switch (id) {
            case ChannelMethod.Open.ID -> ChannelMethod.Open.read(in);
            case ChannelMethod.OpenOk.ID -> ChannelMethod.OpenOk.read(in);
            case ChannelMethod.Flow.ID -> ChannelMethod.Flow.read(in);
            case ChannelMethod.FlowOk.ID -> ChannelMethod.FlowOk.read(in);
            case ChannelMethod.Close.ID -> ChannelMethod.Close.read(in);
            case ChannelMethod.CloseOk.ID -> new ChannelMethod.CloseOk();
            default -> throw unknown(id);
        };
    }

    private static ConnectionMethod readConnection(int id, MethodReader in) {
        return switch (id) {
            case ConnectionMethod.Start.ID -> ConnectionMethod.Start.read(in);
            case ConnectionMethod.StartOk.ID -> ConnectionMethod.StartOk.read(in);
            case ConnectionMethod.Secure.ID -> ConnectionMethod.Secure.read(in);
            case ConnectionMethod.SecureOk.ID -> ConnectionMethod.SecureOk.read(in);
            case ConnectionMethod.Tune.ID -> ConnectionMethod.Tune.read(in);
            case ConnectionMethod.TuneOk.ID -> ConnectionMethod.TuneOk.read(in);
            case ConnectionMethod.Open.ID -> ConnectionMethod.Open.read(in);
            case ConnectionMethod.OpenOk.ID -> ConnectionMethod.OpenOk.read(in);
            case ConnectionMethod.Close.ID -> ConnectionMethod.Close.read(in);
            case ConnectionMethod.CloseOk.ID -> new ConnectionMethod.CloseOk();
            case ConnectionMethod.Blocked.ID -> ConnectionMethod.Blocked.read(in);
            case ConnectionMethod.Unblocked.ID -> new ConnectionMethod.Unblocked();
            case ConnectionMethod.UpdateSecret.ID -> ConnectionMethod.UpdateSecret.read(in);
            case ConnectionMethod.UpdateSecretOk.ID -> new ConnectionMethod.UpdateSecretOk();
            default -> throw unknown(id);
        };
    }

    private static ConfirmMethod readConfirm(int id, MethodReader in) {
        return switch (id) {
            case ConfirmMethod.Select.ID -> ConfirmMethod.Select.read(in);
            case ConfirmMethod.SelectOk.ID -> new ConfirmMethod.SelectOk();
            default -> throw unknown(id);
        };
    }

    private static TxMethod readTx(int id) {
        return switch (id) {
            case TxMethod.Select.ID -> new TxMethod.Select();
            case TxMethod.SelectOk.ID -> new TxMethod.SelectOk();
            case TxMethod.Commit.ID -> new TxMethod.Commit();
            case TxMethod.CommitOk.ID -> new TxMethod.CommitOk();
            case TxMethod.Rollback.ID -> new TxMethod.Rollback();
            case TxMethod.RollbackOk.ID -> new TxMethod.RollbackOk();
            default -> throw unknown(id);
        };
    }

    private static AmqpException unknown(int id) {
        return new AmqpException(
                AmqpException.Scope.CONNECTION,
                ReplyCode.NOT_IMPLEMENTED,
                "unknown method " + (id >>> 16) + "." + (id & 0xffff),
                id >>> 16,
                id & 0xffff);
    }
}
